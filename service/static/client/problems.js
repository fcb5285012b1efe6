// What a call can throw. `code` is for programs, `detail` a sentence for people.

/** A request that came to nothing. */
export class Problem extends Error {
  constructor({ status = 0, code, detail, clause = null, errors = null, retryAfter = null, json = {} }) {
    super(detail);
    this.name = new.target.name;
    this.status = status; // 0: there is no answer
    this.code = code;
    this.detail = detail;
    this.clause = clause; // the address of the rule that refuses
    this.errors = errors;
    this.retryAfter = retryAfter; // seconds
    this.json = json; // all that the server said
  }
}

/** No answer came for as long as the client waits. Perhaps the request was carried out. */
export class Unanswered extends Problem {
  constructor(request, cause) {
    super({ code: "unreachable", detail: `No answer to ${request}: ${cause?.cause?.message ?? cause?.message}` });
  }
}

/** The server refuses. */
export class Refused extends Problem {}
