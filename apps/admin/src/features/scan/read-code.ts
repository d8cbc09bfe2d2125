import { parsePetId } from '../../shared/pet-id.js';

/** What the code of a label means. */
export interface LabelCode {
  id: bigint;
  origin: string;
}

/** Only the address of an animal's page has a number. Nothing else of a scanned text is ever used. */
export function parseLabelCode(text: string): LabelCode | undefined {
  const [, origin = '', number = ''] = /^(https?:\/\/[^/\s]+)\/pets\/(\d+)\/?$/i.exec(text.trim()) ?? [];
  const id = parsePetId(number);
  return id === undefined ? undefined : { id, origin: origin.toLowerCase() };
}

/** More pixels take longer, and do not help. */
const maxSide = 1000;

/** Returns the text of the QR code in a picture, if there is one. */
export async function readCode(picture: HTMLVideoElement | ImageBitmap): Promise<string | undefined> {
  // Only people who scan load it.
  const { default: decode } = await import('jsqr');
  const isVideo = picture instanceof HTMLVideoElement;
  const [width, height] = isVideo ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const canvas = Object.assign(document.createElement('canvas'), { width: width * scale, height: height * scale });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (width === 0 || !context) return undefined;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  return decode(image.data, image.width, image.height)?.data || undefined;
}
