import { Group, NativeSelect } from '@mantine/core';
import { petStatuses } from '@petstore/contracts';
import type { ExportFormat } from '@petstore/import-export/export-pets.js';
import { statusLabels } from '../../shared/format.js';
import type { ExportRequest } from './export-file.js';

const statuses = petStatuses.map((value) => ({ value, label: statusLabels[value] }));
const formats: { value: ExportFormat; label: string }[] = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'ndjson', label: 'JSON, one animal per line' },
];

interface ExportChoicesProps {
  request: ExportRequest;
  isDisabled: boolean;
  onChange: (request: ExportRequest) => void;
}

export function ExportChoices({ request, isDisabled, onChange }: ExportChoicesProps) {
  return (
    <Group gap="md">
      <NativeSelect
        label="Animals"
        data={[{ value: '', label: 'All animals' }, ...statuses]}
        value={request.status ?? ''}
        disabled={isDisabled}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...request, status: petStatuses.find((status) => status === value) })
        }
      />
      <NativeSelect
        label="File"
        data={formats}
        value={request.format}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange({ ...request, format: currentTarget.value as ExportFormat })}
      />
    </Group>
  );
}
