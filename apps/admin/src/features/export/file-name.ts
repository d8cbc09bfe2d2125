import type { ExportRequest } from './export-file.js';

/** "petstore-sold-2026-11-20.csv", with the date of the device. */
export function fileName({ status, format }: ExportRequest, date = new Date()): string {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${['petstore', status ?? 'all', ...day].join('-')}.${format}`;
}
