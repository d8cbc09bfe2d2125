import type { Pet } from '@petstore/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callApi, live } from '../../shared/api.js';
import { formatCount } from '../../shared/format.js';
import { PetLink } from '../../shared/links.js';
import { LoadingRows, Section } from '../../shared/page.js';
import { PetTable } from '../../shared/pet-table.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { PetName } from '../../shared/pet-parts.js';
import partClasses from '../../shared/pet-parts.module.css';
import classes from './record.module.css';

export const shownRelatives = 5;

/** What a customer can have instead: available animals of the same category, the newest first. */
export function Relatives({ pet }: { pet: Pet }) {
  const { names } = useCategoryNames();
  const category = names.get(pet.categoryId) ?? `category ${pet.categoryId}`;
  const { data } = useQuery({ ...relativesQuery(pet.categoryId), ...live });
  const others = data?.pets.filter(({ id }) => id !== pet.id).slice(0, shownRelatives) ?? [];
  return (
    <Section
      title={`Others of ${category}`}
      className={classes.relatives}
      aside={
        data?.total !== undefined &&
        others.length > 0 && (
          <Link to="/pets" search={{ category: [String(pet.categoryId)], status: 'available' }}>
            {`Show all ${formatCount(data.total)} available`}
          </Link>
        )
      }
    >
      {data ? <RelativeTable pets={others} category={category} /> : <LoadingRows count={shownRelatives} isPlain />}
    </Section>
  );
}

/** One more than the page shows: the animal of the page may be among them. */
function relativesQuery(categoryId: bigint) {
  const query = { categoryId, status: 'available', order: 'desc', limit: shownRelatives + 1, count: true } as const;
  return queryOptions({
    // As the lists, it is requested again after an animal was added.
    queryKey: ['pets', 'relatives', String(categoryId)],
    queryFn: ({ signal }) => callApi((client) => client.listPets(query, { signal }).page(), signal),
  });
}

function RelativeTable({ pets, category }: { pets: readonly Pet[]; category: string }) {
  if (pets.length === 0) return <p className="note">{`No other animal of ${category} is available.`}</p>;
  return (
    <PetTable
      pets={pets}
      fields={['id', 'name']}
      customCells={({ id, name }) => ({
        name: (
          <PetLink id={id} className={partClasses.rowLink}>
            <PetName name={name} />
          </PetLink>
        ),
      })}
    />
  );
}
