import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { announce } from '../../shared/focus.js';
import { formatCount } from '../../shared/format.js';
import { LoadingRows } from '../../shared/page.js';
import { batchSize, type LabelBatch, labelBatchQuery, type LabelSource } from './label-batch.js';
import { LabelPages, PrintButton } from './label-pages.js';
import type { LabelSize } from './label-sizes.js';

interface LabelBatchesProps {
  source: LabelSource;
  size: LabelSize;
  leavesOutSold: boolean;
}

/** Labels, a limited number at a time. */
export function LabelBatches({ source, size, leavesOutSold }: LabelBatchesProps) {
  /** Where this batch and those before it start. The first one has no start. */
  const [starts, setStarts] = useState<string[]>([]);
  const isEmpty = 'numbers' in source && source.numbers === '';
  const { data, error, refetch, isFetching } = useQuery({
    ...labelBatchQuery(source, starts.at(-1)),
    enabled: !isEmpty,
  });
  if (isEmpty) return null;
  const next = data?.next;
  return (
    <section aria-label="Labels" aria-busy={isFetching}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <LoadingRows count={6} />}
      {(next !== undefined || starts.length > 0) && (
        <Group gap="sm" mb="md">
          <span>
            Part {starts.length + 1}: up to {formatCount(batchSize)} animals at a time.
          </span>
          {starts.length > 0 && (
            <Button variant="default" onClick={() => setStarts(starts.slice(0, -1))}>
              Previous part
            </Button>
          )}
          {next !== undefined && (
            <Button variant="default" onClick={() => setStarts([...starts, next])}>
              Next part
            </Button>
          )}
        </Group>
      )}
      {data && <LabelBatchResult batch={data} size={size} leavesOutSold={leavesOutSold} />}
    </section>
  );
}

interface LabelBatchResultProps {
  batch: LabelBatch;
  size: LabelSize;
  leavesOutSold: boolean;
}

/** More missing numbers than this are only counted. */
const namedMissing = 20;

function LabelBatchResult({ batch: { pets, missing }, size, leavesOutSold }: LabelBatchResultProps) {
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
