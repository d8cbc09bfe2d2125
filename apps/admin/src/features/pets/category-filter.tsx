import { Button } from '@mantine/core';
import { useLazyCode } from '../../shared/load-code.js';
import { useCategoryNames } from '../../shared/store-info.js';
import type { ListSearch } from './list-search.js';

const loadList = () => import('./category-list.js');

/** "Category", or what was chosen. The list of categories loads at the first click. */
export function CategoryFilter({ search }: { search: ListSearch }) {
  const { names } = useCategoryNames();
  const { code, loadCode } = useLazyCode(loadList);
  const [first, ...others] = search.category ?? [];
  const name = first === undefined ? 'Category' : (names.get(BigInt(first)) ?? `Category ${first}`);
  const label = others.length === 0 ? name : `${name} and ${others.length} more`;
  if (code) return <code.CategoryList search={search} label={label} />;
  return (
    <Button variant="default" aria-haspopup="dialog" aria-expanded={false} onClick={loadCode}>
      {label}
    </Button>
  );
}
