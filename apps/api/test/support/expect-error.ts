import { type ErrorBody, type ErrorCode, errorStatuses } from '@petstore/contracts';
import { expect } from 'vitest';

/** An answer, however it was got. */
interface AnyAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Expects one of the contract's errors, with all that every error has; returns its message. */
export function expectError({ status, headers, text }: AnyAnswer, code: ErrorCode): string {
  expect(status, text).toBe(errorStatuses[code]);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
  const body = JSON.parse(text) as ErrorBody;
  expect(body).toEqual({ code, message: expect.any(String) as string, status });
  return body.message;
}
