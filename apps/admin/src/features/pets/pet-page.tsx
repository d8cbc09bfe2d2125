import type { Pet } from '@petstore/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CopyButton } from '../../shared/copy-button.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { CopyIcon, LinkIcon } from '../../shared/icons.js';
import { Page } from '../../shared/page.js';
import { BackToList } from './back-to-list.js';
import { ListSkeleton } from './list-states.js';
import { petIdOf } from './pet-id.js';
import { PetName, plainName } from './pet-name.js';
import { petQuery } from './pet-queries.js';
import classes from './pets.module.css';
import { StatusMark } from './status-mark.js';

export function PetPage() {
  const { petId } = useParams({ from: '/pets/$petId' });
  const id = petIdOf(petId);
  return id === undefined ? <NoSuchPet petId={petId} /> : <KnownPet id={id} key={petId} />;
}

function KnownPet({ id }: { id: bigint }) {
  const { data: pet, error, refetch, isFetching } = useQuery(petQuery(id, useQueryClient()));
  if (pet === null) return <NoSuchPet petId={String(id)} />;
  const notice = error && (
    <div className={classes.notice}>
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    </div>
  );
  return (
    <Page
      title={pet ? plainName(pet.name) : `Animal ${id}`}
      heading={pet ? <PetName name={pet.name} /> : `Animal ${id}`}
      above={<BackToList />}
    >
      {notice}
      {pet ? <PetFacts pet={pet} /> : !error && <ListSkeleton rows={3} />}
    </Page>
  );
}

function PetFacts({ pet }: { pet: Pet }) {
  return (
    <>
      <dl className={classes.facts}>
        <div>
          <dt>Number</dt>
          <dd className={classes.bigNumber}>{String(pet.id)}</dd>
        </div>
        <div>
          <dt>Category number</dt>
          <dd className={classes.bigNumber}>{String(pet.categoryId)}</dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>
            <StatusMark status={pet.status} />
          </dd>
        </div>
      </dl>
      <div className={classes.actions}>
        <CopyButton text={String(pet.id)} icon={<CopyIcon />}>
          Copy number
        </CopyButton>
        <CopyButton text={`${location.origin}/pets/${pet.id}`} icon={<LinkIcon />}>
          Copy link
        </CopyButton>
      </div>
    </>
  );
}

function NoSuchPet({ petId }: { petId: string }) {
  return (
    <Page title="No such animal" above={<BackToList />}>
      <p className={classes.text}>
        No animal has the number <bdi>{petId}</bdi>. Is it mistyped?
      </p>
    </Page>
  );
}
