import { useLocation, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { ButtonLink } from '../../shared/button-link.js';
import { ChevronLeftIcon } from '../../shared/icons.js';
import { readLastList } from './last-list.js';
import type { ListSearch } from './list-search.js';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list page that has the animal, if the person came from the list. */
    list?: ListSearch;
    /** Whether the entry before this one in the history of the tab is that page. */
    isFromList?: boolean;
  }
}

/** Back to the list as it was, with its scroll position if the person came from there. */
export function BackLink() {
  const { history } = useRouter();
  const { isFromList, list = readLastList() } = useLocation({ select: ({ state }) => state });
  const goBack = (event: MouseEvent) => {
    if (!isFromList || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.back();
  };
  return (
    <ButtonLink
      to="/pets"
      search={list}
      variant="subtle"
      leftSection={<ChevronLeftIcon />}
      m="-0.75rem 0 0.25rem -1.25rem"
      onClick={goBack}
    >
      Animals
    </ButtonLink>
  );
}
