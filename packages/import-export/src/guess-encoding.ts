import { decoderOf, type Encoding } from './encoding.js';

/** What a language looks like in the encodings that its spreadsheets write. */
interface Language {
  encodings: readonly Encoding[];
  /** The characters that are not ASCII. */
  letters: ReadonlySet<string>;
  /** Of how many letters a text makes about equal use. Fewer explain a text better. */
  count: number;
}

const western = ['windows-1252', 'macintosh', 'ibm850'] as const;
const central = ['windows-1250', 'iso-8859-2'] as const;

const createLanguages = (): Language[] => [
  // German, French, Spanish, Portuguese, the Nordic languages, Italian, and a mixture of them.
  language(western, 'äöüßÄÖÜ', 5),
  language(western, 'éèêëàâçîïôûùœÉÈÊËÀÂÇÎÏÔÛŒ’', 8),
  language(western, 'ñáéíóúüÑÁÉÍÓÚ', 7),
  language(western, 'áâãàçéêíóôõúÁÂÇÉ', 7),
  language(western, 'åäöæøéüÅÄÖÆØ', 6),
  language(western, 'àèéìòùÀÈÉ', 6),
  language(western, 'äöüßéèêëàâçîïôûñáíóúåøæõãÄÖÜÉÈÀÇÑÁÅØ’“”„‘–…«»€', 14),
  // Czech and Slovak, Polish, Hungarian, Romanian, Croatian and Slovenian.
  language(central, bothCases('áčďéěíňóřšťúůýžľĺŕôä'), 14),
  language(central, bothCases('ąćęłńóśźż'), 8),
  language(central, bothCases('áéíóöőúüű'), 7),
  language(central, bothCases('ăâîşţ'), 8),
  language(central, bothCases('čćđšž'), 5),
  // Cyrillic, Greek, Turkish.
  language(['windows-1251'], bothCases('абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ'), 22),
  language(['windows-1253'], bothCases('αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ'), 22),
  language(['windows-1254'], 'çğıöşüÇĞİÖŞÜâî', 9),
  // Japanese, and in half-width letters.
  language(['shift_jis', 'euc-jp'], range('ぁ', 'ん') + range('ァ', 'ー'), 100),
  language(['shift_jis'], range('｡', 'ﾟ'), 150),
  // Korean and Chinese: the common characters are in these rows of the standards.
  language(['euc-kr'], rows('euc-kr', 0xb0, 0xc8), 800),
  language(['gb18030'], rows('gb18030', 0xb0, 0xd7), 800),
  language(['big5'], rows('big5', 0xa4, 0xc6), 900),
];

/** Japanese mixes kana with these. */
const isKanji = (character: string) => character >= '\u4E00' && character <= '\u9FFF';
const kanjiCost = Math.log(2500);

/** How much rarer a file of this encoding is than one in Windows-1252, as the logarithm. */
const rarity: Partial<Record<Encoding, number>> = {
  macintosh: 0.5,
  'windows-1251': 1,
  'windows-1250': 1,
  'windows-1254': 1.5,
  'windows-1253': 2.5,
  'iso-8859-2': 2.5,
  ibm850: 2.5,
};

/**
 * Guesses the encoding of bytes that are not UTF-8: the one in which a language explains the text best. Libraries are trained
 * with long texts, and guess wrong for a list of names.
 */
export function guessEncoding(bytes: Uint8Array): Encoding {
  const languages = createLanguages();
  let best: { encoding: Encoding; cost: number } = { encoding: 'windows-1252', cost: Infinity };
  for (const encoding of new Set(languages.flatMap(({ encodings }) => encodings))) {
    const text = decoderOf(encoding)(bytes);
    for (const candidate of languages.filter(({ encodings }) => encodings.includes(encoding))) {
      const cost = (rarity[encoding] ?? 0) + costOf(text, candidate);
      if (cost < best.cost) best = { encoding, cost };
    }
  }
  return best.encoding;
}

const isLetter = (character: string) => /\p{L}/u.test(character);
const isSmall = (character: string) => /\p{Ll}/u.test(character);
const isCapital = (character: string) => /\p{Lu}/u.test(character);
const isAscii = (character: string) => character < '\u0080';

/** The logarithm of how improbable a text of this language is. */
function costOf(text: string, spoken: Language): number {
  let [cost, before] = [0, ' '];
  for (const character of text) {
    cost += isAscii(character) ? asciiCost(character) : characterCost(character, before, spoken);
    if (isLatin(character) ? isForeign(before) : isForeign(character) && isLatin(before)) cost += mixedCost;
    before = character;
  }
  return cost;
}

/** No word mixes Latin letters and those of another script. */
const mixedCost = 4;
const isLatin = (character: string) => character < '\u0370' && isLetter(character);
const isForeign = (character: string) => character >= '\u0370' && isLetter(character);

/** Symbols such as `^` are rare in names, but the second bytes of many East Asian characters. */
function asciiCost(character: string): number {
  if (/[a-z]/i.test(character)) return 3;
  return /[\s\d,;|"'.-]/.test(character) ? 1 : 6;
}

function characterCost(character: string, before: string, { letters, count }: Language): number {
  if (character === '\uFFFD' || character < '\u00A0') return 20;
  const placed = placeCost(character, before);
  if (letters.has(character)) return placed + Math.log(count);
  if (letters.has('あ') && isKanji(character)) return kanjiCost;
  return placed + (character > '\u2FFF' ? 10 : isLetter(character) ? 6 : 8);
}

/**
 * How unusual a character is at this place of a name. Names rarely have two accented letters in a row, a capital inside a word,
 * or a symbol in a word. Most of their words start with a capital.
 */
function placeCost(character: string, before: string): number {
  const repeated = character < '\u0370' && !isAscii(before) ? 2 : 0;
  if (isCapital(character)) return repeated + (isSmall(before) ? 4 : 0);
  if (character === '’' || before === '’') return repeated;
  const isWrong = isLetter(character) ? isSmall(character) && !isLetter(before) : isLetter(before);
  return repeated + (isWrong ? 2 : 0);
}

function language(encodings: readonly Encoding[], letters: string, count: number): Language {
  return { encodings, letters: new Set(letters), count };
}

function bothCases(letters: string): string {
  return letters + letters.toUpperCase();
}

function range(first: string, last: string): string {
  const start = first.codePointAt(0) ?? 0;
  return String.fromCodePoint(
    ...Array.from({ length: (last.codePointAt(0) ?? 0) - start + 1 }, (_, index) => start + index),
  );
}

/** The characters of two bytes whose first byte is in this range. */
function rows(encoding: Encoding, first: number, last: number): string {
  const bytes: number[] = [];
  for (let lead = first; lead <= last; lead += 1)
    for (let trail = 0xa1; trail <= 0xfe; trail += 1) bytes.push(lead, trail);
  return decoderOf(encoding)(Uint8Array.from(bytes));
}
