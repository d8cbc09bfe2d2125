import {
  type Type,
  ConflictException,
  Controller,
  Get,
  NotFoundException,
  NotImplementedException,
  Param,
  Query,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { PetsModule } from '../../src/features/pets/pets.module.js';
import { expectError } from '../support/expect-error.js';
import { useDatabase } from '../support/scratch-database.js';
import { runApp, type TestApp } from '../support/test-app.js';

const exceptions = {
  missing: new NotFoundException('secret plans'),
  taken: new ConflictException('secret plans'),
  unfinished: new NotImplementedException('secret plans'),
};

@Controller('planted')
class PlantedController {
  @Get('failing/:name')
  @RouteConfig({ public: true })
  fail(@Param('name') name: keyof typeof exceptions): void {
    throw exceptions[name];
  }

  @Get('next')
  @RouteConfig({ public: true })
  findNext(@Query('id') id?: string): { id: string | undefined } {
    return { id };
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

it.each([
  ['missing', 'route_not_found'],
  ['taken', 'bad_request'],
  ['unfinished', 'internal_error'],
] as const)('an exception of Nest is a response without its message: %s', async (path, code) => {
  expect(expectError(await service.api.get(`/planted/failing/${path}`), code)).not.toContain('secret');
});

it('a query parameter without a DTO class fails: nothing would validate it', async () => {
  expectError(await service.api.get('/planted/next?id=7'), 'internal_error');
});

it('a route that is neither public nor an operation fails the start', async () => {
  await expect(withController(UnprotectedController, () => runApp(database.url))).rejects.toThrow(
    'The route GET /toys is neither public nor an @Operation().',
  );
});
