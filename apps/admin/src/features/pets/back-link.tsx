import { ChevronLeftIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import type { ListSearch } from './list-search.js';
import classes from './pets.module.css';

let lastSearch: ListSearch = {};

/** The list that was looked at last is the one to come back to. */
export function rememberList(search: ListSearch): void {
  lastSearch = search;
}

export function BackToList() {
  return (
    <p className={classes.back}>
      <ButtonLink to="/pets" search={lastSearch} variant="subtle" leftSection={<ChevronLeftIcon />}>
        Animals
      </ButtonLink>
    </p>
  );
}
