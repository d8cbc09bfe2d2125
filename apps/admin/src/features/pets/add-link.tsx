import { Group } from '@mantine/core';
import { ButtonLink } from '../../shared/button-link.js';
import { PlusIcon } from '../../shared/icons.js';
import { useCanAdd } from '../../shared/store-info.js';

/** Opens the form. Only people who may add animals see it. */
export function AddLink({ children }: { children: string }) {
  return useCanAdd() ? <FormLink>{children}</FormLink> : null;
}

/** One animal, or many. Takes its space before the answer, so that the page does not move. */
export function AddLinks() {
  const canAdd = useCanAdd();
  if (canAdd === false) return null;
  return (
    <Group gap="sm" style={{ visibility: canAdd ? 'visible' : 'hidden' }}>
      <ButtonLink to="/import" variant="default">
        Import animals
      </ButtonLink>
      <FormLink>Add animal</FormLink>
    </Group>
  );
}

function FormLink({ children }: { children: string }) {
  return (
    <ButtonLink to="/pets/new" state={{ isFromList: true }} leftSection={<PlusIcon />}>
      {children}
    </ButtonLink>
  );
}
