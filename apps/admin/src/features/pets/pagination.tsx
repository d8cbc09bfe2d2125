import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChevronLeftIcon, ChevronRightIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { Select } from '../../shared/select.js';
import { firstPart, type ListSearch, nextPart, type PageSize, pageSizes, previousPart } from './list-search.js';
import classes from './pets.module.css';

const sizes = pageSizes.map(String).map((size) => ({ value: size, label: size }));

interface PagerProps {
  search: ListSearch;
  /** The cursor of the part that follows. */
  next: string | undefined;
}

export function Pager({ search, next }: PagerProps) {
  const { page = 1 } = search;
  return (
    <nav aria-label="Pages" className={classes.pager}>
      <PageSizeChoice search={search} />
      <span className={classes.pages}>
        {page > 2 && (
          <ButtonLink to="/pets" search={firstPart(search)} variant="subtle">
            Newest
          </ButtonLink>
        )}
        <Step to={previousPart(search)} left={<ChevronLeftIcon />}>
          Previous
        </Step>
        <span className={classes.pageNumber}>Page {page}</span>
        <Step to={next === undefined ? undefined : nextPart(search, next)} right={<ChevronRightIcon />}>
          Next
        </Step>
      </span>
    </nav>
  );
}

interface StepProps {
  to: ListSearch | undefined;
  left?: ReactNode;
  right?: ReactNode;
  children: string;
}

function Step({ to, left, right, children }: StepProps) {
  const look = { variant: 'default', leftSection: left, rightSection: right } as const;
  if (to) {
    return (
      <ButtonLink to="/pets" search={to} {...look}>
        {children}
      </ButtonLink>
    );
  }
  return (
    <Button disabled {...look}>
      {children}
    </Button>
  );
}

function PageSizeChoice({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  const { status, limit = pageSizes[0] } = search;
  const choose = (size: PageSize) =>
    void navigate({
      to: '/pets',
      search: { ...(status && { status }), ...(size !== pageSizes[0] && { limit: size }) },
    });
  return (
    <Select
      label="Animals per page"
      options={sizes}
      value={String(limit)}
      onChange={(size) => choose(Number(size) as PageSize)}
    />
  );
}
