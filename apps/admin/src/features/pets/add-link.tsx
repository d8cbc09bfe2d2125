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
