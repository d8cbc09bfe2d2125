import { ButtonLink } from '../../shared/button-link.js';
import { ChevronLeftIcon } from '../../shared/icons.js';
import type { ListSearch } from './list-search.js';

let lastSearch: ListSearch = {};

export function rememberSearch(search: ListSearch): void {
  lastSearch = search;
}

/** Back to the list as it was. */
export function BackLink() {
  return (
    <ButtonLink
      to="/pets"
      search={lastSearch}
      variant="subtle"
      leftSection={<ChevronLeftIcon />}
      m="-0.75rem 0 0.25rem -1.25rem"
    >
      Animals
    </ButtonLink>
  );
}
