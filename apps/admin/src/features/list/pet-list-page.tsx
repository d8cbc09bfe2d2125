import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { live } from '../../shared/api.js';
import { filterText } from '../../shared/filter-search.js';
import { AddLink } from '../../shared/links.js';
import type { ListSearch } from '../../shared/list-search.js';
import { Page } from '../../shared/page.js';
import { petListQuery } from '../../shared/pet-queries.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { Filters } from './filters.js';
import classes from './list.module.css';
import { useSteadyPage } from './new-animals.js';
import { PageFooter } from './page-footer.js';
import { PetList } from './pet-list.js';
import { SelectionBar } from './selection.js';

export function PetListPage() {
  const search = useSearch({ from: '/pets' });
  const list = useQuery({ ...petListQuery(search), ...live });
  const { page, ...news } = useSteadyPage(search, list.data);
  return (
    <Page
      title={search.q === undefined ? 'Animals' : `Results for “${search.q}”`}
      headingClass={classes.heading}
      actions={
        // The navigation at the bottom of narrow screens has it.
        <AddLink size="sm" visibleFrom="md" list={search}>
          Add animal
        </AddLink>
      }
    >
      <div className={`panel ${classes.list}`}>
        <Filters search={search} />
        {page && (
          <PrintedNote
            search={search}
            updatedAt={list.dataUpdatedAt}
            hasOtherPages={search.page !== undefined || page.next !== undefined}
          />
        )}
        <PetList search={search} list={list} page={page} news={news} />
        <SelectionBar />
        {(page ?? list.isPending) && <PageFooter search={search} list={page} />}
      </div>
    </Page>
  );
}

interface PrintedNoteProps {
  search: ListSearch;
  updatedAt: number;
  hasOtherPages: boolean;
}

/** Only on paper, which has no filters and pages: what the list shows, and of which day. Not with `Intl`: its first use takes a phone a tenth of a second. */
function PrintedNote({ search, updatedAt, hasOtherPages }: PrintedNoteProps) {
  const { names } = useCategoryNames();
  const parts = [new Date(updatedAt).toDateString(), filterText(search, names) || 'All animals'];
  const pages = ` This is page ${search.page ?? 1} of the list. To print all animals, export the list.`;
  return <p className={classes.printedNote}>{`${parts.join(' · ')}.${hasOtherPages ? pages : ''}`}</p>;
}
