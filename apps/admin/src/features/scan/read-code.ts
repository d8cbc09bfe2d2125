import { parsePetId } from '../../shared/pet-id.js';

/** What the code of a label means. */
export interface LabelCode {
  id: bigint;
  /** Where the label was printed. */
  origin: string;
}

/** Only the address of an animal's page has a number. Nothing else of a scanned text is ever used. */
export function parseLabelCode(text: string): LabelCode | undefined {
  const [, origin = '', number = ''] = /^(https?:\/\/[^/\s]+)\/pets\/(\d+)\/?$/i.exec(text.trim()) ?? [];
  const id = parsePetId(number);
  return id === undefined ? undefined : { id, origin: origin.toLowerCase() };
}

/** Some browsers have it. TypeScript does not know it. */
declare class BarcodeDetector {
  constructor(options: { formats: string[] });
  detect(picture: ImageBitmapSource): Promise<{ rawValue: string }[]>;
  static getSupportedFormats(): Promise<string[]>;
}

/** Returns the text of the QR code in a picture, if there is one. */
export type ReadPicture = (picture: HTMLVideoElement | ImageBitmap) => Promise<string | undefined>;

/** The reader of the browser, else a library, which is loaded only then. */
export async function createReader(): Promise<ReadPicture> {
  if (await hasDetector()) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    return async (picture) => (await detector.detect(picture))[0]?.rawValue;
  }
  const { default: decode } = await import('jsqr');
  const canvas = document.createElement('canvas');
  return (picture) => {
    const image = toPixels(picture, canvas);
    return Promise.resolve((image && decode(image.data, image.width, image.height)?.data) || undefined);
  };
}

async function hasDetector(): Promise<boolean> {
  if (!('BarcodeDetector' in globalThis)) return false;
  const formats: string[] = await BarcodeDetector.getSupportedFormats().catch(() => []);
  return formats.includes('qr_code');
}

/** More pixels take longer, and do not help. */
const maxSide = 1000;

function toPixels(picture: HTMLVideoElement | ImageBitmap, canvas: HTMLCanvasElement): ImageData | undefined {
  const isVideo = picture instanceof HTMLVideoElement;
  const [width, height] = isVideo ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (width === 0 || !context) return undefined;
  const scale = Math.min(1, maxSide / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
