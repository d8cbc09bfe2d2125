import { describe, expect, it } from 'vitest';
import { splitByMatch } from '../src/shared/filter-search.js';

describe('the match of a search in a name', () => {
  it.each([
    ['Rex the Second', 'rex', ['', 'Rex', ' the Second']],
    ['T-Rex', 'rex', ['T-', 'Rex']],
    ['Zoë', 'ZOE', ['', 'Zoë']],
    ['Straßenkater', 'strasse', ['', 'Straße', 'nkater']],
    ['Black rabbit', 'rabbit bl', ['', 'Bl', 'ack ', 'rabbit']],
    ['Max a', 'a', ['Max ', 'a']],
    ['Rex', '', ['Rex']],
    ['Rex', '12', ['Rex']],
    ['שלום אבי', 'אבי', ['שלום ', 'אבי']],
    ['🐇 Hoppel', 'hop', ['🐇 ', 'Hop', 'pel']],
  ])('%s, %s', (name, text, parts) => {
    expect(splitByMatch(name, text)).toEqual(parts);
  });
});
