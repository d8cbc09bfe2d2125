import type { Pet } from '@petstore/contracts';
import type { ReactNode } from 'react';
import { statusLabels } from './format.js';
import type { CategoryNames } from './store-info.js';

/** The columns of a table of animals, in this order. A field that is added to the contracts does not compile until it is here. */
export const petHeadings: Record<keyof Pet, string> = {
  id: 'Number',
  name: 'Name',
  categoryId: 'Category',
  status: 'Status',
};

/** What a table shows of an animal, as text. */
export function petCells({ id, name, categoryId, status }: Pet, names: CategoryNames): Record<keyof Pet, ReactNode> {
  return {
    id: String(id),
    name: <bdi translate="no">{name}</bdi>,
    categoryId: <bdi>{names.get(categoryId) ?? String(categoryId)}</bdi>,
    status: statusLabels[status],
  };
}
