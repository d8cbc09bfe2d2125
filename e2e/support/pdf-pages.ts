/** The sizes of the pages of a PDF in millimeters, as "62 × 29". */
export function pdfPageSizes(pdf: Buffer): string[] {
  const boxes = pdf.toString('latin1').matchAll(/\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)\s*\]/g);
  return [...boxes].map(([, width, height]) => `${inMillimeters(width)} × ${inMillimeters(height)}`);
}

/** PDF counts in points of 1/72 inch. Browsers round them to their pixels of 1/96 inch. */
function inMillimeters(points: string | undefined): number {
  return Math.round((Number(points) / 72) * 25.4);
}
