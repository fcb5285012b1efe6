import { MemoryStorage } from "./index.js";

/** A storage for Node: a folder with one file an item, for one program at a time. */
export class FileStorage extends MemoryStorage {
  constructor(folder: string);
}
