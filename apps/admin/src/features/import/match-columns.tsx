import { Alert, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { type NewPet, newPetFields } from '@petstore/contracts';
import { type ColumnChoice, requiredColumns } from '@petstore/import-export/pet-columns.js';
import type { Encoding } from '@petstore/import-export/encoding.js';
import { headings } from '../../shared/pet-parts.js';
import { useCategoryNames } from '../../shared/store-info.js';
import type { ImportFile } from './import-database.js';
import { checkRows, matchColumns, readAgain, startOver } from './prepare-import.js';
import { StepPanel } from './step-panel.js';

type Choice = keyof NewPet | '';

const choices: { value: Choice; label: string }[] = [
  { value: '', label: "Don't import" },
  ...newPetFields.map((value) => ({ value, label: headings[value] })),
];

export function MatchColumns({ file }: { file: ImportFile }) {
  const { names } = useCategoryNames();
  const { settings, start } = file;
  const isReady = requiredColumns.every((column) => settings.columns?.includes(column));
  const columns = start.names.map((name, index) => ({ index, name: name || `Column ${index + 1}` }));
  const check = () => {
    // Also as the admin shows them if two have the same name: "Rabbits (7)".
    const categories = Array.from(names, ([id, name]) =>
      [name, `${name} (${id})`].map((text) => ({ id: String(id), name: text })),
    );
    const withNames = names.size > 0 && { categories: categories.flat(), hasLooseNames: true };
    void checkRows({ ...file, settings: { ...settings, ...withNames } });
  };
  return (
    <StepPanel title={`Match the columns of ${file.name}`}>
      <p>
        Petstore gives every animal a new number. The category is a number, or the name of a category of your store.
      </p>
      <ReadingChoices file={file} />
      <Stack component="ul" gap="sm">
        {columns.map((column) => (
          <ColumnField key={column.index} file={file} {...column} />
        ))}
      </Stack>
      {!isReady && <p role="status">Choose a column for the name, and one for the category.</p>}
      <Group>
        <Button aria-disabled={!isReady} onClick={() => isReady && check()}>
          Check rows
        </Button>
        <Button variant="subtle" onClick={startOver}>
          Start over
        </Button>
      </Group>
    </StepPanel>
  );
}

const encodingLabels: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows (Western Europe)',
  macintosh: 'Mac (Western Europe)',
  ibm850: 'MS-DOS (Western Europe)',
  'windows-1250': 'Windows (Central Europe)',
  'iso-8859-2': 'ISO (Central Europe)',
  'windows-1251': 'Windows (Cyrillic)',
  'windows-1253': 'Windows (Greek)',
  'windows-1254': 'Windows (Turkish)',
  shift_jis: 'Japanese (Shift-JIS)',
  'euc-jp': 'Japanese (EUC)',
  gb18030: 'Chinese (simplified)',
  big5: 'Chinese (traditional)',
  'euc-kr': 'Korean',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big endian)',
};
const encodings = Object.entries(encodingLabels).map(([value, label]) => ({ value, label }));

/** How the file is read. The examples show the result. */
function ReadingChoices({ file }: { file: ImportFile }) {
  const { encoding, hasHeader, doubtful, titles, titleRows } = file.start;
  return (
    <>
      {titles.length > 0 && (
        <label className="check">
          <input
            type="checkbox"
            checked={titleRows > 0}
            onChange={({ currentTarget: { checked } }) =>
              void readAgain(file, { titleRows: checked ? titles.length : 0, hasHeader: undefined })
            }
          />
          <span>
            Skip the title above the table: <bdi>{titles.join(' · ')}</bdi>
          </span>
        </label>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={hasHeader}
          onChange={({ currentTarget: { checked } }) => void readAgain(file, { hasHeader: checked })}
        />
        The first row has the names of the columns
      </label>
      {doubtful.length > 0 && (
        <Alert color="yellow" title="Is this right?">
          <p>
            The file does not say which characters it has. Some of its cells:{' '}
            <bdi translate="no">{doubtful.join(' · ')}</bdi>
          </p>
          <p>If letters look wrong, choose other characters.</p>
        </Alert>
      )}
      <NativeSelect
        className="besideLabel"
        label="Characters (change it if ä or é look wrong)"
        data={encodings}
        value={encoding}
        onChange={({ currentTarget }) => void readAgain(file, { encoding: currentTarget.value as Encoding })}
      />
    </>
  );
}

/** The selects are below one another. */
const columnLabel = { w: 'clamp(6rem, 30vw, 12rem)', c: 'inherit', fw: 550, fz: 'inherit' };

function ColumnField({ file, index, name }: { file: ImportFile; index: number; name: string }) {
  const examples = file.start.rows.map((row) => row[index]).filter((cell) => cell !== undefined && cell !== '');
  const { columns = [] } = file.settings;
  const column = columns[index];
  return (
    <Group component="li" gap="0.5rem 1rem">
      <NativeSelect
        className="besideLabel"
        labelProps={columnLabel}
        label={name}
        data={choices}
        value={column === 'id' ? '' : (column ?? '')}
        onChange={({ currentTarget }) => matchColumns(file, withColumn(columns, index, currentTarget.value as Choice))}
      />
      <span className="note">{examples.join(' · ')}</span>
    </Group>
  );
}

/** A field of an animal comes from one column: the last choice counts. */
function withColumn(columns: ColumnChoice, index: number, value: Choice): ColumnChoice {
  const chosen = value || undefined;
  return columns.map((column, other) => {
    if (other === index) return chosen;
    return column === chosen ? undefined : column;
  });
}
