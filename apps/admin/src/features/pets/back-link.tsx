import { ButtonLink } from '../../shared/button-link.js';
import { ChevronLeftIcon } from '../../shared/icons.js';
import type { ListSearch } from './list-search.js';
import classes from './pets.module.css';

let lastSearch: ListSearch = {};

export function rememberSearch(search: ListSearch): void {
  lastSearch = search;
}

/** Back to the list as it was. */
export function BackLink() {
  return (
    <p className={classes.back}>
      <ButtonLink to="/pets" search={lastSearch} variant="subtle" leftSection={<ChevronLeftIcon />}>
        Animals
      </ButtonLink>
    </p>
  );
}
