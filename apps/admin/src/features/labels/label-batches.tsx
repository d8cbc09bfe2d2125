import { Button, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useEffect } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { announce } from '../../shared/focus.js';
import { formatCount } from '../../shared/format.js';
import { PrinterIcon } from '../../shared/icons.js';
import { LoadingRows } from '../../shared/page.js';
import { batchSize, type LabelBatch, type LabelBatchState } from './label-batch.js';
import { LabelPages } from './label-pages.js';
import type { LabelSize } from './label-sizes.js';
import classes from './labels.module.css';
import { formatRanges, toRanges } from './number-ranges.js';

/** More ranges of missing numbers than this are only counted. */
const namedMissing = 20;

export function PartButtons({ data, starts, openPart }: LabelBatchState) {
  const next = data?.next;
  if (next === undefined && starts.length === 0) return null;
  return (
    <Group gap="sm">
      <span>
        Part {starts.length + 1}: up to {formatCount(batchSize)} animals at a time.
      </span>
      {starts.length > 0 && (
        <Button variant="default" onClick={() => openPart(starts.slice(0, -1))}>
          Previous part
        </Button>
      )}
      {next !== undefined && (
        <Button variant="default" onClick={() => openPart([...starts, next])}>
          Next part
        </Button>
      )}
    </Group>
  );
}

/** The labels as they are printed. `labeled` are the animals that get one. */
export function LabelBatchResult(props: LabelBatchState & { labeled: readonly Pet[]; size: LabelSize }) {
  const { data, error, refetch, isFetching, isEmpty, labeled, size } = props;
  if (isEmpty) return <NoChoice />;
  return (
    <section className={classes.preview} aria-label="Labels" aria-busy={isFetching}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <LoadingRows count={6} />}
      {data && <Summary batch={data} labels={labeled.length} />}
      {data && <LabelPages pets={labeled} size={size} hasOutlines={false} />}
    </section>
  );
}

function NoChoice() {
  return (
    <section className={`${classes.preview} ${classes.empty}`} aria-label="Labels">
      <PrinterIcon />
      <p>Enter the numbers of animals, or choose a list. Their labels appear here.</p>
    </section>
  );
}

function Summary({ batch: { pets, missing }, labels }: { batch: LabelBatch; labels: number }) {
  const summary = summaryText(labels, pets.length - labels);
  useEffect(() => announce(summary), [summary]);
  return (
    <>
      <p>{summary}</p>
      {missing.length > 0 && (
        <p>
          No animal has the {missing.length === 1 ? 'number' : 'numbers'} {missingText(missing)}.
        </p>
      )}
    </>
  );
}

/** "12 labels. 3 sold animals are left out." */
function summaryText(labels: number, sold: number): string {
  const words = `${labels === 0 ? 'No' : formatCount(labels)} ${labels === 1 ? 'label' : 'labels'}.`;
  if (sold === 0) return words;
  return `${words} ${formatCount(sold)} sold ${sold === 1 ? 'animal is' : 'animals are'} left out.`;
}

function missingText(numbers: readonly bigint[]): string {
  const ranges = toRanges(numbers);
  const named = formatRanges(ranges.slice(0, namedMissing));
  return ranges.length > namedMissing ? `${named} and others: ${formatCount(numbers.length)} in all` : named;
}
