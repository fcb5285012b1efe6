// The texts of the page in the language of its reader. The English text is the key, so English needs no catalogue.

/** The language that is spoken. What another one needs comes from `translate.js`: `texts` by key, `markup`, `answer`. */
export const speech = { language: "en", texts: null, markup: null, answer: null };

/** *text* in the language of the reader, with *values* in the place of `{name}`. */
export function tr(text, values) {
  return filled(speech.texts?.get(text) ?? text, values);
}

/** The form of a text that *number* asks for. English has *one* and *other*; `{n}` stands for the number. */
export function plural(number, one, other, values) {
  const forms = speech.texts?.get(other);
  const form = forms ? (forms[rules().select(number)] ?? forms.other) : number === 1 ? one : other;
  return filled(form, { n: number, ...values });
}

/** `1 event`, `2 events`. */
export const count = (number, noun) => plural(number, `{n} ${noun}`, `{n} ${noun}s`);

/** A text of a constant, which is made before the language is known: `tr` translates it where it is shown. */
export const keyed = (text) => text;

/** The language with the customs of the reader's country, for numbers and times. */
export const locale = () => navigator.languages.find((each) => each.startsWith(speech.language)) ?? speech.language;

/** A number with the decimal sign of the language, and with at least so many *decimals*. */
export const figure = (number, decimals = 0) =>
  number.toLocaleString(locale(), { useGrouping: false, minimumFractionDigits: decimals, maximumFractionDigits: 3 });

const rules = () => new Intl.PluralRules(speech.language);

function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? values[name] : hole)) : text;
}
