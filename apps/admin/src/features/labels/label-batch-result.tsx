import { useEffect } from 'react';
import { announce } from '../../shared/focus.js';
import { formatCount } from '../../shared/format.js';
import type { LabelBatch } from './label-batch.js';
import { LabelPages } from './label-pages.js';
import type { LabelSize } from './label-sizes.js';
import { PrintButton } from './print-button.js';

interface LabelBatchResultProps {
  batch: LabelBatch;
  size: LabelSize;
  leavesOutSold: boolean;
}

/** More missing numbers than this are only counted. */
const namedMissing = 20;

export function LabelBatchResult({ batch: { pets, missing }, size, leavesOutSold }: LabelBatchResultProps) {
  const labeled = leavesOutSold ? pets.filter(({ status }) => status !== 'sold') : pets;
  const summary = summaryText(labeled.length, pets.length - labeled.length);
  useEffect(() => announce(summary), [summary]);
  return (
    <>
      <p>{summary}</p>
      {missing.length > 0 && <p>No animal has the number {numberList(missing)}.</p>}
      {labeled.length > 0 && <PrintButton>Print labels</PrintButton>}
      <LabelPages pets={labeled} size={size} hasOutlines={false} />
    </>
  );
}

/** "12 labels. 3 sold animals are left out." */
function summaryText(labels: number, sold: number): string {
  const words = `${labels === 0 ? 'No' : formatCount(labels)} ${labels === 1 ? 'label' : 'labels'}.`;
  if (sold === 0) return words;
  return `${words} ${formatCount(sold)} sold ${sold === 1 ? 'animal is' : 'animals are'} left out.`;
}

function numberList(numbers: readonly bigint[]): string {
  const named = numbers.slice(0, namedMissing).join(', ');
  return numbers.length > namedMissing ? `${named} and ${formatCount(numbers.length - namedMissing)} more` : named;
}
