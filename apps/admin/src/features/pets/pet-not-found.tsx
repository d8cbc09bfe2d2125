import { Button } from '@mantine/core';
import { Page } from '../../shared/page.js';
import { BackLink } from './back-link.js';

export function PetNotFound({ petId }: { petId: string }) {
  const focusSearch = () => document.querySelector<HTMLElement>('#find')?.focus();
  return (
    <Page title="Animal not found" above={<BackLink />}>
      <p>
        No animal has number <bdi>{petId}</bdi>. Check the number, or search for the animal.
      </p>
      <Button onClick={focusSearch}>Search</Button>
    </Page>
  );
}
