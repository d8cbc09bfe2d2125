import { Alert, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { isSearch, parseFilter } from '../../shared/filter-search.js';
import { formatCount } from '../../shared/format.js';
import { AlertIcon, PrinterIcon } from '../../shared/icons.js';
import { type LabelSize, readSizeName, rememberSizeName, sizeOf } from '../../shared/label.js';
import { ActionBar, Columns, EmptyState, LoadingRows, Page } from '../../shared/page.js';
import { readImportedPets } from './index.js';
import { LabelForm } from './label-form.js';
import { LabelPages, TestPage } from './label-pages.js';
import { labelsQuery } from './label-queries.js';
import { type AnimalChoice, type LabelSearch, maxLabels, parseLabelSearch } from './label-search.js';
import classes from './labels.module.css';

/** The choices on the left, what is printed on the right. */
export function LabelsPage() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/labels', select: parseLabelSearch, structuralSharing: true });
  const [first] = useState(search);
  const [imported] = useState(readImportedPets);
  const [options, setOptions] = useState({ sizeName: readSizeName(), leavesOutSold: false });
  const animals = choiceOf(search, imported);
  const size = sizeOf(options.sizeName);
  return (
    <Page title="Print labels">
      <Columns first="22rem">
        <Stack className={classes.controls}>
          <LabelForm
            animals={animals}
            imported={imported}
            search={search}
            first={first}
            options={options}
            onOpen={(next) => void navigate({ to: '/labels', search: next, replace: true })}
            onOptions={(changed) => {
              rememberSizeName(changed.sizeName);
              setOptions(changed);
            }}
          />
          <p className="note">
            Print the test page first, and hold it against your labels. Scan a code with a phone or a hand scanner to
            open the animal.
          </p>
        </Stack>
        <Stack component="section" gap="lg" miw={0} aria-label="Labels">
          <LocalAddressWarning />
          {animals === 'test' ? (
            <>
              <TestPage size={size} />
              <PrintBar title="1 page">Print test page</PrintBar>
            </>
          ) : (
            <PetLabels source={sourceOf(animals, search, imported)} size={size} leavesOutSold={options.leavesOutSold} />
          )}
        </Stack>
      </Columns>
    </Page>
  );
}

/** Another tab has no imported animals. */
function choiceOf(search: LabelSearch, imported: string): AnimalChoice {
  if (isSearch(search)) return 'results';
  const { animals = 'numbers' } = search;
  return animals === 'imported' && imported === '' ? 'numbers' : animals;
}

function sourceOf(animals: AnimalChoice, search: LabelSearch, imported: string) {
  if (animals === 'imported') return imported;
  if (animals === 'numbers') return search.numbers ?? '';
  return parseFilter(animals === 'results' ? { ...search } : { status: animals });
}

/** On another device, these names mean that device. */
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The codes of a page that was opened by such a name lead to the phone itself. */
function LocalAddressWarning() {
  if (!localHosts.has(location.hostname)) return null;
  return (
    <Alert color="yellow" icon={<AlertIcon />}>
      {`Phones can't open codes of ${location.host}. Open Petstore by the network address of this computer, then print.`}
    </Alert>
  );
}

interface PetLabelsProps {
  source: ReturnType<typeof sourceOf>;
  size: LabelSize;
  leavesOutSold: boolean;
}

function PetLabels({ source, size, leavesOutSold }: PetLabelsProps) {
  const { data, error, refetch, isFetching } = useQuery(labelsQuery(source));
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
  if (source === '') {
    return (
      <EmptyState icon={<PrinterIcon />}>
        Enter the numbers of animals, or choose a list. Their labels appear here.
      </EmptyState>
    );
  }
  if (!data) return <LoadingRows count={6} />;
  if (data.hasMore) {
    const wayOn =
      typeof source === 'string'
        ? `Enter fewer numbers than ${source.slice(0, 40)}.`
        : 'Filter the list by a category or status, or enter numbers.';
    return (
      <EmptyState icon={<PrinterIcon />} title={`These are more than ${maxLabels} animals`}>
        {`Petstore prints up to ${maxLabels} labels at once. ${wayOn}`}
      </EmptyState>
    );
  }
  const pets = data.pets.filter(({ status }) => !leavesOutSold || status !== 'sold');
  return (
    <>
      {data.missing.length > 0 && <Alert color="yellow">{missingText(data.missing)}</Alert>}
      <LabelPages pets={pets} size={size} />
      <PrintBar
        title={`${formatCount(pets.length)} ${pets.length === 1 ? 'label' : 'labels'}`}
        note={soldText(data.pets.length - pets.length)}
        isReady={pets.length > 0}
      >
        Print labels
      </PrintBar>
    </>
  );
}

interface PrintBarProps {
  title: string;
  note?: string;
  isReady?: boolean;
  children: ReactNode;
}

function PrintBar({ title, note = '', isReady = true, children }: PrintBarProps) {
  return (
    <ActionBar title={title} note={note}>
      <Button leftSection={<PrinterIcon />} aria-disabled={!isReady} onClick={() => isReady && print()}>
        {children}
      </Button>
    </ActionBar>
  );
}

const namedMissing = 10;

function missingText(numbers: readonly bigint[]): string {
  if (numbers.length > namedMissing) return `${formatCount(numbers.length)} of these numbers have no animal.`;
  return `No animal has the ${numbers.length === 1 ? 'number' : 'numbers'} ${numbers.join(', ')}.`;
}

function soldText(count: number): string {
  if (count === 0) return '';
  return `${formatCount(count)} sold ${count === 1 ? 'animal is' : 'animals are'} left out.`;
}
