import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { canContinue, newImportRecord, rowsOf, toRanges } from '../src/features/import/import-record.js';

const settings = { titleRows: 0, hasHeader: true, columns: [], categories: [] };
const origin = { contentHash: 'ab', serviceUrl: 'http://localhost:3000', apiKeyId: '1' };
const newRecord = () => newImportRecord({ ...origin, reading: {}, settings, leftOut: [] });

describe('the record of an import', () => {
  it('can continue for one hour less than the service keeps idempotency keys', () => {
    const [record, clock] = [newRecord(), vi.spyOn(Date, 'now')];
    onTestFinished(() => clock.mockRestore());
    const hour = 3_600_000;
    for (const [ms, isCurrent] of [
      [-1, true],
      [23 * hour - 1, true],
      [23 * hour, false],
      [-24 * hour, false],
    ] as const) {
      clock.mockReturnValue(record.startedAt + ms);
      expect({ ms, isCurrent: canContinue(record, record) }).toEqual({ ms, isCurrent });
    }
  });

  it.each(['contentHash', 'serviceUrl', 'apiKeyId'] as const)('cannot continue with another %s', (name) => {
    const record = newRecord();
    expect(canContinue(record, { ...record, [name]: 'another' })).toBe(false);
  });

  it('has the rows that are left out as ranges', () => {
    const rows = [2, 3, 4, 7];
    expect(toRanges(rows)).toEqual([
      [2, 4],
      [7, 7],
    ]);
    expect([...rowsOf(toRanges(rows))]).toEqual(rows);
  });
});
