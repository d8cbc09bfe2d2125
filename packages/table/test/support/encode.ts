import { decodeAs } from '../../src/encoding.js';
import type { Encoding } from '../../src/table.js';

const byCharacter = new Map<Encoding, Map<string, readonly number[]>>();

/** Encodes a text. `TextEncoder` only knows UTF-8, so this decodes each code of one and two bytes. */
export function encode(text: string, encoding: Encoding): Uint8Array {
  const codes = byCharacter.get(encoding) ?? readCodes(encoding);
  byCharacter.set(encoding, codes);
  const bytes = Array.from(text, (character) => {
    const code = codes.get(character);
    if (!code) throw new Error(`${encoding} has no ${character}.`);
    return code;
  });
  return Uint8Array.from(bytes.flat());
}

function readCodes(encoding: Encoding): Map<string, readonly number[]> {
  const codes = new Map<string, readonly number[]>();
  const add = (...code: number[]) => {
    const character = decodeAs(Uint8Array.from(code), encoding);
    if (Array.from(character).length === 1 && !codes.has(character)) codes.set(character, code);
  };
  for (let byte = 0; byte < 256; byte += 1) add(byte);
  if (!['shift_jis', 'gb18030', 'big5', 'euc-kr'].includes(encoding)) return codes;
  for (let lead = 0x81; lead < 0xff; lead += 1) for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail);
  return codes;
}
