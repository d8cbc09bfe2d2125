import { Button } from '@mantine/core';
import { categoryName } from '../../shared/filter-search.js';
import { ChevronDownIcon } from '../../shared/icons.js';
import { useLazyCode } from '../../shared/load-code.js';
import { useCategoryNames } from '../../shared/store-info.js';
import type { ListSearch } from './list-search.js';

const loadList = () => import('./category-list.js');

/** "Category", or what was chosen. The list of categories loads at the first click. */
export function CategoryFilter({ search }: { search: ListSearch }) {
  const { names } = useCategoryNames();
  const { code, loadCode } = useLazyCode(loadList);
  const [first, ...others] = search.category ?? [];
  const name = first === undefined ? 'Category' : categoryName(BigInt(first), names);
  const label = others.length === 0 ? name : `${name} and ${others.length} more`;
  if (code) return <code.CategoryList search={search} label={label} />;
  return (
    <Button
      variant="default"
      rightSection={<ChevronDownIcon />}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={loadCode}
    >
      {label}
    </Button>
  );
}
