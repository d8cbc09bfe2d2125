import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { formatCount } from '../../shared/format.js';
import { LoadingRows } from '../../shared/page.js';
import { batchSize, labelBatchQuery, type LabelSource } from './label-batch.js';
import { LabelBatchResult } from './label-batch-result.js';
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
