import { ButtonLink } from './button-link.js';
import { ChevronLeftIcon } from './icons.js';

/** To the list with the filter that the device showed last. */
export function ListLink() {
  return (
    <ButtonLink to="/" variant="subtle" leftSection={<ChevronLeftIcon />} m="-0.75rem 0 0.25rem -1.25rem">
      Animals
    </ButtonLink>
  );
}
