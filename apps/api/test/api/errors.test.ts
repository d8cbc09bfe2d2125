import {
  BadRequestException,
  type CanActivate,
  ConflictException,
  Controller,
  ForbiddenException,
  Get,
  type HttpException,
  NotFoundException,
  NotImplementedException,
  Param,
  Query,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Public } from '../../src/platform/http/operation.js';
import { expectError } from '../support/expect-error.js';
import { withController } from '../support/planted.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

const exceptions: Record<string, HttpException> = {
  bad: new BadRequestException('The toy is broken.'),
  unauthorized: new UnauthorizedException('Who are you?'),
  forbidden: new ForbiddenException('Not this toy.'),
  missing: new NotFoundException('No toy has this id.'),
  conflict: new ConflictException('The toy is in use.'),
  unfinished: new NotImplementedException('secret plans'),
};

const closedGuard: CanActivate = { canActivate: () => false };

@Controller('planted')
class PlantedController {
  @Get('exceptions/:name')
  @Public()
  fail(@Param('name') name: string): void {
    throw exceptions[name] ?? new Error(name);
  }

  @Get('guarded')
  @Public()
  @UseGuards(closedGuard)
  guarded(): string {
    return 'open';
  }

  @Get('sum')
  @Public()
  sum(@Query('text') text: string, @Query('count') count: number, @Query('isNew') isNew?: boolean): unknown[] {
    return [text, count, isNew];
  }
}

@Controller('toys')
class UnprotectedController {
  @Get()
  list(): string[] {
    return [];
  }
}

let service: TestApp;
beforeAll(async () => {
  service = await withController(PlantedController, () => startTestApp());
});
afterAll(() => service.close());

describe('an unexpected error', () => {
  /** The log lines of a request, without its access log line. */
  const warningsOf = (headers: Headers) =>
    service.logged.filter(({ requestId, level }) => requestId === headers.get('x-request-id') && Number(level) >= 40);

  it('returns 500 internal_error without details, and is logged once with the request id', async () => {
    const fault = vi.spyOn(service.clock, 'now').mockImplementation(() => {
      throw new Error('SELECT secret FROM the_clock');
    });
    const response = await service.api.get('/v1/pets');
    fault.mockRestore();
    expectError(response, 'internal_error');
    expect(response.text).not.toMatch(/secret|clock|at /);
    expect(warningsOf(response.headers)).toMatchObject([
      { level: 50, err: { message: 'SELECT secret FROM the_clock', stack: expect.any(String) as string } },
    ]);
  });

  it('of the database returns 500 internal_error without the query', async () => {
    await service.sql('ALTER TABLE pet RENAME COLUMN name TO gone');
    const responses = [
      await service.api.get('/v1/pets'),
      await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }),
      await service.api.get('/v1/pets/1'),
    ];
    await service.sql('ALTER TABLE pet RENAME COLUMN gone TO name');
    for (const response of responses) {
      expectError(response, 'internal_error');
      expect(response.text).not.toMatch(/gone|prisma|table|column|select|public/i);
      expect(warningsOf(response.headers)).toHaveLength(1);
    }
  });
});

describe('an exception of Nest', () => {
  const hidden = 'Internal server error. Quote the X-Request-Id when you report it.';
  it.each([
    ['exceptions/bad', 400, 'bad_request', 'The toy is broken.'],
    ['exceptions/unauthorized', 401, 'missing_api_key', 'Who are you?'],
    ['exceptions/forbidden', 403, 'insufficient_scope', 'Not this toy.'],
    ['exceptions/missing', 404, 'route_not_found', 'No toy has this id.'],
    ['exceptions/conflict', 409, 'idempotency_key_in_use', 'The toy is in use.'],
    ['exceptions/unfinished', 500, 'internal_error', hidden],
    ['guarded', 403, 'insufficient_scope', 'Forbidden resource'],
  ])('is a response with its status: %s', async (path, status, code, message) => {
    expect((await service.api.get(`/planted/${path}`)).json).toEqual({ code, message, status: BigInt(status) });
  });
});

describe('query parameters of primitive types', () => {
  it.each([
    ['?text=a&count=7&isNew=true', ['a', 7n, true]],
    ['?text=8&count=-1.5&isNew=false', ['8', -1.5, false]],
    ['?text=&count=0', ['', 0n]],
  ])('are read: %s', async (query, values) => {
    const { status, json } = await service.api.get(`/planted/sum${query}`);
    expect([status, (json as unknown[]).slice(0, values.length)]).toEqual([200, values]);
  });

  it.each([
    ['?count=x', 'count'],
    ['?count=', 'count'],
    ['?count=1&isNew=maybe', 'isNew'],
    ['?text=a&text=b&count=1', 'text'],
  ])('are 400 invalid_query with another type: %s', async (query, name) => {
    const { json } = await service.api.get(`/planted/sum${query}`);
    expect(json).toMatchObject({ code: 'invalid_query', message: expect.stringContaining(`\`${name}\``) as string });
  });
});

describe('a route that is neither public nor an operation', () => {
  it('fails the start', async () => {
    await expect(withController(UnprotectedController, () => startOn(service.databaseUrl))).rejects.toThrow(
      'The route GET /toys is neither @Public() nor an @Operation().',
    );
  });
});
