import { LabelPages } from './label-pages.js';
import { type LabelSize, labelsPerPage } from './label-sizes.js';
import { PrintButton } from './print-button.js';

const sample = { id: 1n, name: 'Test label', categoryId: 1n };

/** One page, with the edges of the labels. */
export function TestPage({ size }: { size: LabelSize }) {
  return (
    <section aria-label="Labels">
      <p>
        Print this page on plain paper and hold it against your labels. If the lines do not match, set the scale to 100
        %, the margins to none and the paper size to that of your labels in the print window.
      </p>
      <PrintButton>Print test page</PrintButton>
      <LabelPages pets={Array.from({ length: labelsPerPage(size) }, () => sample)} size={size} hasOutlines />
    </section>
  );
}
