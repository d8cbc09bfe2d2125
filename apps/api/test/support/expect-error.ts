import { type ErrorBody, type ErrorCode, errorTable } from '@petstore/contracts';
import { expect } from 'vitest';

/** The part that responses of `Api` and of `sendRaw` share. */
interface AnyResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Expects an error of the contract with the headers of every error. Returns its message. */
export function expectError({ status, headers, text }: AnyResponse, code: ErrorCode): string {
  expect(status, text).toBe(errorTable[code].status);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-powered-by')).toBeNull();
  const body = JSON.parse(text) as ErrorBody;
  expect(body).toEqual({ code, message: expect.any(String) as string, status });
  return body.message;
}
