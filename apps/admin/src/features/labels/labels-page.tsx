import { Group, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { readImportedPets } from '../../shared/browser-storage.js';
import { isSearch } from '../../shared/filter-search.js';
import { AlertIcon } from '../../shared/icons.js';
import { Columns, Page } from '../../shared/page.js';
import { useLabelBatch } from './label-batch.js';
import { LabelForm } from './label-form.js';
import { LabelBatchResult, LabelPages, PartButtons, PrintButton } from './label-pages.js';
import { type AnimalChoice, type LabelSearch, parseLabelSearch } from './label-search.js';
import { type LabelSize, labelsPerPage, readSizeName, rememberSizeName, sizeOf } from '../../shared/label.js';
import classes from './labels.module.css';

/** On another device, these names mean that device. */
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The choices on the left, what is printed on the right. */
export function LabelsPage() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/labels', select: parseLabelSearch, structuralSharing: true });
  const [imported] = useState(readImportedPets);
  const [options, setOptions] = useState({ sizeName: readSizeName(), leavesOutSold: false });
  const animals = choiceOf(search, imported);
  const numbers = animals === 'imported' ? imported : (search.numbers ?? '');
  const size = sizeOf(options.sizeName);
  /** The results that the person came from. */
  const [results] = useState(animals === 'results' ? search : undefined);
  const batch = useLabelBatch(animals, numbers, results);
  const open = (next: LabelSearch) => void navigate({ to: '/labels', search: next, replace: true });
  const isTest = animals === 'test';
  const labeled = batch.data?.pets.filter(({ status }) => !options.leavesOutSold || status !== 'sold') ?? [];
  return (
    <Page title="Print labels">
      <Columns first="22rem">
        <Stack gap="lg" className={classes.controls}>
          <LabelForm
            animals={animals}
            numbers={numbers}
            hasImported={imported !== ''}
            results={results}
            options={options}
            onOpen={open}
            onOptions={(changed) => {
              rememberSizeName(changed.sizeName);
              setOptions(changed);
            }}
          />
          <PartButtons {...batch} />
          <div className={classes.printBar}>
            <PrintButton isReady={isTest || labeled.length > 0}>
              {isTest ? 'Print test page' : 'Print labels'}
            </PrintButton>
          </div>
          <p className="note">
            Print the test page first, and hold it against your labels. Scan a code with a phone or a hand scanner to
            open the animal.
          </p>
        </Stack>
        <Stack gap="lg" miw={0}>
          <LocalAddressWarning />
          {isTest ? <TestPage size={size} /> : <LabelBatchResult {...batch} labeled={labeled} size={size} />}
        </Stack>
      </Columns>
    </Page>
  );
}

/** The codes of a page that was opened by such a name lead to the phone itself. */
function LocalAddressWarning() {
  if (!localHosts.has(location.hostname)) return null;
  return (
    <Group component="p" gap="xs" wrap="nowrap" fz="sm" c="var(--pending-text)">
      <AlertIcon />
      {`Phones can't open codes of ${location.host}. Open Petstore by the network address of this computer, then print.`}
    </Group>
  );
}

/** Another tab has no imported animals. */
function choiceOf(search: LabelSearch, imported: string): AnimalChoice {
  if (isSearch(search)) return 'results';
  const { animals = 'numbers' } = search;
  return animals === 'imported' && imported === '' ? 'numbers' : animals;
}

const sample = { id: 1n, name: 'Test label', categoryId: 1n };

/** One page, with the edges of the labels. */
function TestPage({ size }: { size: LabelSize }) {
  return (
    <Stack component="section" gap="xs" miw={0} aria-label="Labels">
      <p>
        Print this page on plain paper and hold it against your labels. If the lines do not match, set the scale to 100
        %, the margins to none and the paper size to that of your labels in the print window.
      </p>
      <LabelPages pets={Array.from({ length: labelsPerPage(size) }, () => sample)} size={size} hasOutlines />
    </Stack>
  );
}
