import { Group } from '@mantine/core';
import { ButtonLink } from '../../shared/button-link.js';
import { PlusIcon } from '../../shared/icons.js';
import { useCanAdd } from '../../shared/store-info.js';

/** Opens the form. Only people who may add animals see it. */
export function AddLink({ children }: { children: string }) {
  if (!useCanAdd()) return null;
  return (
    <ButtonLink to="/pets/new" state={{ isFromList: true }} leftSection={<PlusIcon />}>
      {children}
    </ButtonLink>
  );
}

/** One animal, or many. */
export function AddLinks() {
  if (!useCanAdd()) return null;
  return (
    <Group gap="sm">
      <ButtonLink to="/import" variant="default">
        Import animals
      </ButtonLink>
      <AddLink>Add animal</AddLink>
    </Group>
  );
}
