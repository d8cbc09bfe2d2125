import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect } from 'react';
import { live } from '../../shared/api.js';
import { filterText } from '../../shared/filter-search.js';
import { Page } from '../../shared/page.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { AddLink } from '../../shared/links.js';
import { useSteadyPage } from '../../shared/new-animals.js';
import { type ListSearch, parseListSearch, rememberList } from '../../shared/list-search.js';
import classes from './list.module.css';
import rowClasses from './rows.module.css';
import { Pagination } from './pagination.js';
import { petListQuery, refreshPets } from '../../shared/pet-queries.js';
import { PetList } from './pet-list.js';
import { SelectionBar } from './selection.js';
import { Toolbar } from './toolbar.js';

export function PetListPage() {
  // Parsed again: until the router has corrected the address, it may contain anything.
  const search = useSearch({ from: '/pets', select: parseListSearch, structuralSharing: true });
  // The filter reacts at once, and a hundred rows follow.
  const shownSearch = useDeferredValue(search);
  const list = useQuery({ ...petListQuery(shownSearch), ...live });
  const { page, ...news } = useSteadyPage(shownSearch, list.data);
  const isChanging = shownSearch !== search;
  const queryClient = useQueryClient();
  const refresh = async () => {
    await refreshPets(queryClient);
    news.showNew(queryClient.getQueryData(petListQuery(shownSearch).queryKey));
  };
  useEffect(() => rememberList(search), [search]);
  return (
    <Page
      title={titleOf(search)}
      headingClass={classes.heading}
      actions={
        // The navigation at the bottom of narrow screens has it.
        <AddLink size="sm" visibleFrom="md">
          Add animal
        </AddLink>
      }
    >
      <div className={classes.list}>
        <Toolbar search={search} />
        <PrintedNote search={search} next={page?.next} />
        <PetList search={shownSearch} list={list} page={page} news={news} isChanging={isChanging} />
        <div className={classes.listEnd}>
          <SelectionBar pets={isChanging ? undefined : page?.pets} />
          <Pagination search={search} list={isChanging ? undefined : page} onRefresh={() => void refresh()} />
        </div>
      </div>
    </Page>
  );
}

/** Only on paper, which has no filters and pages: what the list shows. */
function PrintedNote({ search, next }: { search: ListSearch; next: string | undefined }) {
  const { names } = useCategoryNames();
  const { page = 1 } = search;
  const hasOtherPages = page > 1 || next !== undefined;
  const pages = hasOtherPages ? ` This is page ${page} of the list. To print all animals, export the list.` : '';
  return <p className={rowClasses.printedNote}>{`${filterText(search, names)}${pages}`}</p>;
}

function titleOf({ q }: ListSearch): string {
  return q === undefined ? 'Animals' : `Results for “${q}”`;
}
