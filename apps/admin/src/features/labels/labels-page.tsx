import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { readImportedPets } from '../../shared/browser-storage.js';
import { ListLink } from '../../shared/links.js';
import { Page } from '../../shared/page.js';
import type { LabelSource } from './label-batch.js';
import { LabelBatches } from './label-batches.js';
import { LabelForm } from './label-form.js';
import { LabelPages, PrintButton } from './label-pages.js';
import { type AnimalChoice, type LabelSearch, parseLabelSearch } from './label-search.js';
import { type LabelSize, labelsPerPage, readSizeName, rememberSizeName, sizeOf } from './label-sizes.js';
import classes from './labels.module.css';

/** On another device, these names mean that device. */
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

export function LabelsPage() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/labels', select: parseLabelSearch, structuralSharing: true });
  const [imported] = useState(readImportedPets);
  const [options, setOptions] = useState({ sizeName: readSizeName(), leavesOutSold: false });
  const animals = choiceOf(search, imported);
  const numbers = animals === 'imported' ? imported : (search.numbers ?? '');
  const size = sizeOf(options.sizeName);
  const open = (next: LabelSearch) => void navigate({ to: '/labels', search: next, replace: true });
  return (
    <Page title="Print labels" above={<ListLink />}>
      <Introduction />
      <LabelForm
        animals={animals}
        numbers={numbers}
        hasImported={imported !== ''}
        options={options}
        onOpen={open}
        onOptions={(changed) => {
          rememberSizeName(changed.sizeName);
          setOptions(changed);
        }}
      />
      {animals === 'test' ? (
        <TestPage size={size} />
      ) : (
        <LabelBatches
          key={animals + numbers}
          source={sourceOf(animals, numbers)}
          size={size}
          leavesOutSold={options.leavesOutSold}
        />
      )}
    </Page>
  );
}

function Introduction() {
  return (
    <div className={classes.intro}>
      <p>
        Print cage labels with the name, number, category and a QR code. To open the page of an animal, scan its code
        with a phone, or with a hand scanner into the search field at the top. Print the test page first to check the
        size.
      </p>
      {localHosts.has(location.hostname) && (
        <p>
          Phones cannot open codes that you print from this address, <code>{location.host}</code>. Open Petstore by the
          name or number of this computer in your network, and print from there.
        </p>
      )}
    </div>
  );
}

/** Another tab has no imported animals. */
function choiceOf({ animals = 'numbers' }: LabelSearch, imported: string): AnimalChoice {
  return animals === 'imported' && imported === '' ? 'numbers' : animals;
}

function sourceOf(animals: Exclude<AnimalChoice, 'test'>, numbers: string): LabelSource {
  if (animals === 'numbers' || animals === 'imported') return { numbers };
  return { status: animals === 'all' ? undefined : animals };
}

const sample = { id: 1n, name: 'Test label', categoryId: 1n };

/** One page, with the edges of the labels. */
function TestPage({ size }: { size: LabelSize }) {
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
