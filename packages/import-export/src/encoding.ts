import type { Source } from './source.js';

/** The encodings that spreadsheets write, by their labels in the Encoding Standard, which does not have IBM850. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'macintosh',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'ibm850',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encoding = (typeof encodings)[number];

/** The file in UTF-8. */
export function toUtf8(source: Source, encoding: Encoding): Source {
  if (encoding === 'utf-8') return source;
  return async function* encoded() {
    const encoder = new TextEncoder();
    const decode = decoderOf(encoding);
    for await (const chunk of source()) yield encoder.encode(decode(chunk));
    yield encoder.encode(decode(undefined));
  };
}

/** Their upper bytes: those that the `TextDecoder` of Node 20 decodes to control characters, and those that it does not know. */
const upperBytes: Partial<Record<Encoding, string>> = {
  'windows-1252': '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0',
};

/** Decodes chunk by chunk, and without a chunk the end. */
export function decoderOf(encoding: Encoding): (chunk: Uint8Array | undefined) => string {
  const upper = upperBytes[encoding];
  if (upper === undefined) {
    const decoder = new TextDecoder(encoding);
    return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
  }
  return (chunk = new Uint8Array()) =>
    Array.from(chunk, (byte) => upper[byte - 0x80] ?? String.fromCodePoint(byte)).join('');
}
