import { Button, type ButtonProps } from '@mantine/core';
import { createLink, Link, type LinkProps, useLocation, useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent, ReactNode, Ref } from 'react';
import { focusFindField } from './focus.js';
import { BookIcon, ChevronLeftIcon, LockIcon, Logo, PlusIcon, SearchIcon, UploadIcon } from './icons.js';
import type { ListSearch } from './list-search.js';
import { EmptyState, Page } from './page.js';
import { useCanAdd } from './store-info.js';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page of the list that the person came from: the entry before this one in the history of the tab. */
    list?: ListSearch;
    /** Whether the person has gone on to another page of the list, without seeing it. */
    isOtherPage?: boolean;
    cells?: string;
  }
}

type AnchorProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>;

function AnchorButton({ ref, ...props }: AnchorProps & { ref?: Ref<HTMLAnchorElement> }) {
  return <Button component="a" ref={ref} {...props} />;
}

/** A router link that looks like a button. */
export const ButtonLink = createLink(AnchorButton);

/** A quiet button with an icon only. */
export const iconButton = { variant: 'subtle', c: 'inherit', w: 44, h: 44, p: 0 } as const;

export interface PetLinkProps extends Pick<LinkProps, 'preload' | 'replace' | 'resetScroll' | 'state'> {
  id: bigint | string;
  children: ReactNode;
  className?: string | undefined;
  /** For a link that covers a text that is cut. */
  title?: string;
}

/** Leads to the page of an animal. */
export function PetLink({ id, ...props }: PetLinkProps) {
  return <Link to="/pets/$petId" params={{ petId: String(id) }} {...props} />;
}

/** Whether the browser opens a link elsewhere, for example in a new tab. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}

interface AddLinkProps {
  children: string;
  /** The page of the list that has the link. */
  list?: ListSearch;
  size?: 'sm' | 'md';
  visibleFrom?: 'md';
}

/** Opens the form. Only people who may add animals see it. It takes its space before that is known. */
export function AddLink({ children, list, ...button }: AddLinkProps) {
  const canAdd = useCanAdd();
  if (canAdd === false) return null;
  return (
    <ButtonLink
      to="/pets/new"
      state={{ ...(list && { list }) }}
      leftSection={<PlusIcon />}
      style={{ visibility: canAdd ? 'visible' : 'hidden' }}
      {...button}
    >
      {children}
    </ButtonLink>
  );
}

/** What to do in a store without animals. */
export function FirstDay() {
  return (
    <EmptyState
      icon={<Logo />}
      title="Your store has no animals yet"
      actions={
        <>
          <AddLink>Add the first animal</AddLink>
          {useCanAdd() && (
            <ButtonLink to="/import" variant="default" leftSection={<UploadIcon />}>
              Import animals
            </ButtonLink>
          )}
          <ButtonLink to="/guide" variant="default" leftSection={<BookIcon />}>
            Read the guide
          </ButtonLink>
        </>
      }
    >
      Add them one by one, or import a list from a spreadsheet.
    </EmptyState>
  );
}

interface NoPermissionProps {
  /** What the key does not allow: "add animals". */
  action: string;
  children?: string;
}

/** In place of a page that the key of the person does not allow. */
export function NoPermission({ action, children = '' }: NoPermissionProps) {
  return (
    <EmptyState
      icon={<LockIcon />}
      title={`You don't have permission to ${action}`}
      actions={<ButtonLink to="/pets">Show all animals</ButtonLink>}
    >
      {`${children} Ask your manager.`}
    </EmptyState>
  );
}

interface NotFoundProps {
  title: string;
  above?: ReactNode;
  children: ReactNode;
}

/** In place of a page that does not exist. */
export function NotFound({ title, above, children }: NotFoundProps) {
  return (
    <Page title={title} above={above}>
      <EmptyState
        icon={<SearchIcon />}
        actions={
          <>
            <Button onClick={focusFindField}>Search</Button>
            <ButtonLink to="/pets" variant="default">
              Show all animals
            </ButtonLink>
          </>
        }
      >
        {children}
      </EmptyState>
    </Page>
  );
}

/** Returns to the list as it was, with its scroll position. If a link or the search has opened the record, it opens all animals. */
export function useBackToList(): () => void {
  const { history, navigate } = useRouter();
  const { list, isOtherPage = false } = useLocation({ select: ({ state }) => state });
  return () => (list && !isOtherPage ? history.back() : void navigate({ to: '/pets', search: list ?? {} }));
}

/** Stands before the heading. */
export function BackLink() {
  const goBack = useBackToList();
  const open = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    goBack();
  };
  return (
    <ButtonLink
      to="/pets"
      {...iconButton}
      flex="none"
      h={36}
      ml={-12}
      mr={-12}
      aria-label="Animals"
      title="Animals"
      onClick={open}
    >
      <ChevronLeftIcon />
    </ButtonLink>
  );
}
