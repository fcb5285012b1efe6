// Where the pictures of this edition of the page stand: beside its icon, whose address the page names.

/** The address of the page's file *name*, such as `boards/colonies.jpg`. */
export const fileOf = (name) => new URL(name, document.querySelector("link[rel=icon]").href).href;
