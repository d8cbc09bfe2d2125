import { foldName, minPartLength, searchWords } from '@petstore/contracts';

/** The characters of a name in parts: every second one is a match of a word of the text. */
export function splitByMatch(name: string, text: string): string[] {
  const folded = Array.from(name, (character) => ({ character, text: foldName(character), isMatch: false }));
  const whole = ` ${folded.map((part) => part.text).join('')}`;
  for (const word of searchWords(text)) {
    const start = whole.indexOf(Array.from(word).length < minPartLength ? ` ${word}` : word);
    markMatch(folded, start - (whole[start] === ' ' ? 0 : 1), word.length);
  }
  const parts = [''];
  for (const { character, isMatch } of folded) {
    if (isMatch !== (parts.length % 2 === 0)) parts.push('');
    parts[parts.length - 1] += character;
  }
  return parts;
}

/** The positions are those of the folded text, which may be longer than the name. */
function markMatch(folded: { text: string; isMatch: boolean }[], start: number, length: number): void {
  let position = 0;
  for (const part of folded) {
    part.isMatch ||= start >= 0 && position >= start && position < start + length;
    position += part.text.length;
  }
}
