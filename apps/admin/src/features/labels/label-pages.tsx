import { Button, Group, Stack } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { type CSSProperties, useEffect } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { announce } from '../../shared/focus.js';
import { formatCount } from '../../shared/format.js';
import { PrinterIcon } from '../../shared/icons.js';
import { EmptyState, LoadingRows } from '../../shared/page.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { Label, labelStyle, type LabelSize, labelsPerPage, pageSize, papers } from '../../shared/label.js';
import { batchSize, type LabelBatch, type LabelBatchState } from './label-batch.js';
import classes from './labels.module.css';
import { formatRanges, toRanges } from './number-ranges.js';

interface LabelPagesProps {
  pets: readonly Pick<Pet, 'id' | 'name' | 'categoryId'>[];
  size: LabelSize;
  /** Prints the edge of each label. */
  hasOutlines: boolean;
}

/** What is printed, in its real size. Everything else on the page is hidden on paper. */
export function LabelPages({ pets, size, hasOutlines }: LabelPagesProps) {
  const { names } = useCategoryNames();
  const { sheet } = size;
  const style = {
    ...labelStyle(size),
    '--columns': sheet?.columns ?? 1,
    '--rows': sheet?.rows ?? 1,
    '--column-gap': `${sheet?.columnGap ?? 0}mm`,
    ...(sheet && {
      '--sheet-width': `${papers[sheet.paper].width}mm`,
      '--sheet-height': `${papers[sheet.paper].height}mm`,
    }),
  } as CSSProperties;
  return (
    <div className={classes.pages} style={style} data-outlines={hasOutlines || undefined} data-sheet={sheet && true}>
      <style>{`@page { size: ${pageSize(size)}; margin: 0 }`}</style>
      {pagesOf(pets, labelsPerPage(size)).map(({ number, labels }) => (
        <ul key={number} className={classes.page} aria-label={`Page ${number}`}>
          {labels.map(({ position, pet }) => (
            <li key={position}>
              <Label pet={pet} names={names} />
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

/** Numbered by position: an animal can have several labels. */
function pagesOf<T>(pets: readonly T[], perPage: number): { number: number; labels: { position: number; pet: T }[] }[] {
  const labels = pets.map((pet, position) => ({ position, pet }));
  return Array.from({ length: Math.ceil(labels.length / perPage) }, (_, page) => ({
    number: page + 1,
    labels: labels.slice(page * perPage, (page + 1) * perPage),
  }));
}

export function PrintButton({ isReady, children }: { isReady: boolean; children: string }) {
  return (
    <Button leftSection={<PrinterIcon />} aria-disabled={!isReady} onClick={() => isReady && print()}>
      {children}
    </Button>
  );
}

/** More ranges of missing numbers than this are only counted. */
const namedMissing = 20;

export function PartButtons({ data, starts, openPart }: LabelBatchState) {
  const next = data?.next;
  if (next === undefined && starts.length === 0) return null;
  return (
    <Group gap="sm">
      <span>{`Part ${starts.length + 1}: up to ${formatCount(batchSize)} animals at a time.`}</span>
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
    <Stack component="section" gap="xs" miw={0} aria-label="Labels" aria-busy={isFetching}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <LoadingRows count={6} />}
      {data && <Summary batch={data} labels={labeled.length} />}
      {data && <LabelPages pets={labeled} size={size} hasOutlines={false} />}
    </Stack>
  );
}

function NoChoice() {
  return (
    <section aria-label="Labels">
      <EmptyState icon={<PrinterIcon />}>
        Enter the numbers of animals, or choose a list. Their labels appear here.
      </EmptyState>
    </section>
  );
}

function Summary({ batch: { pets, missing, newestId }, labels }: { batch: LabelBatch; labels: number }) {
  const summary = summaryText(labels, pets.length - labels);
  useEffect(() => announce(summary), [summary]);
  return (
    <>
      <p>{summary}</p>
      {missing.length > 0 && (
        <p>{`No animal has the ${missing.length === 1 ? 'number' : 'numbers'} ${missingText(missing)}.`}</p>
      )}
      {newestId !== undefined && <p>{`The highest number of an animal is ${newestId}.`}</p>}
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
