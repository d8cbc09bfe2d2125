import {
  type Type,
  Controller,
  Get,
  NotFoundException,
  NotImplementedException,
  Param,
  Query,
  ServiceUnavailableException,
} from '@nestjs/common';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { PetsModule } from '../../src/features/pets/pets.module.js';
import { Public } from '../../src/platform/http/operation.js';
import { expectError } from '../support/expect-error.js';
import { useDatabase } from '../support/scratch-database.js';
import { runApp, type TestApp } from '../support/test-app.js';

const exceptions = {
  missing: new NotFoundException('No toy has this id.'),
  unfinished: new NotImplementedException('secret plans'),
  closed: new ServiceUnavailableException('The toy shop is closed.'),
};

@Controller('planted')
class PlantedController {
  @Get('failing/:name')
  @Public()
  fail(@Param('name') name: keyof typeof exceptions): void {
    throw exceptions[name];
  }

  @Get('next')
  @Public()
  findNext(@Query('id') id?: bigint): { next: bigint | null } {
    return { next: id === undefined ? null : id + 1n };
  }
}

@Controller('toys')
class UnprotectedController {
  @Get()
  list(): string[] {
    return [];
  }
}

/** Starts an app with an additional controller. Nest reads the metadata once, when an app starts. */
async function withController<App>(controller: Type, start: () => Promise<App>): Promise<App> {
  const controllers = Reflect.getMetadata('controllers', PetsModule) as Type[];
  Reflect.defineMetadata('controllers', [...controllers, controller], PetsModule);
  try {
    return await start();
  } finally {
    Reflect.defineMetadata('controllers', controllers, PetsModule);
  }
}

const database = useDatabase();
let service: TestApp;
beforeAll(async () => {
  service = await withController(PlantedController, () => runApp(database.url));
  return () => service.close();
});

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

const hidden = 'Internal server error. Quote the X-Request-Id when you report it.';
it.each([
  ['missing', 404, 'route_not_found', 'No toy has this id.'],
  ['unfinished', 500, 'internal_error', hidden],
  ['closed', 503, 'service_unavailable', 'The toy shop is closed.'],
])('an exception of Nest is a response with its status: %s', async (path, status, code, message) => {
  const { json, headers } = await service.api.get(`/planted/failing/${path}`);
  expect(json).toEqual({ code, message, status: BigInt(status) });
  expect(headers.get('retry-after')).toBe(status === 503 ? '1' : null);
});

it('a query parameter of the type bigint is exact, and rejects any other text', async () => {
  const next = (query: string) => service.api.get(`/planted/next${query}`);
  expect((await next('?id=9007199254740992')).text).toBe('{"next":9007199254740993}');
  expect((await next('')).text).toBe('{"next":null}');
  expect(expectError(await next('?id=07'), 'invalid_query')).toContain('`id` must be an integer between');
});

it('a route that is neither public nor an operation fails the start', async () => {
  await expect(withController(UnprotectedController, () => runApp(database.url))).rejects.toThrow(
    'The route GET /toys is neither @Public() nor an @Operation().',
  );
});
