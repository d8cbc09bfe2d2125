import { Body, Controller, Get, type NestInterceptor, Post } from '@nestjs/common';
import { ValidateNested } from 'class-validator';
import { map } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Public } from '../../src/platform/http/access.js';
import { withController, withInterceptor } from '../support/planted.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

const seen: unknown[] = [];

/** Records each result and wraps it in an envelope. */
const envelope: NestInterceptor = {
  intercept: (_context, next) =>
    next.handle().pipe(
      map((result: unknown) => {
        seen.push(result);
        return { result };
      }),
    ),
};

let service: TestApp;
beforeAll(async () => {
  service = await withInterceptor(envelope, () => startTestApp());
});
afterAll(() => service.close());

describe('a Nest interceptor', () => {
  it('sees and changes the results of all operations', async () => {
    const created = await service.api.post('/v1/pets', { name: 'Rex', categoryId: 9223372036854775807n });
    const text = '{"id":1,"name":"Rex","categoryId":9223372036854775807,"status":"available"}';
    const { status, headers, json } = created;
    expect([status, headers.get('location'), json]).toEqual([201, '/v1/pets/1', { result: text }]);
    expect((await service.api.get('/v1/pets')).json).toEqual({ result: `[${text}]` });
    expect((await service.api.get('/v1/pets/1')).json).toEqual({ result: text });
    expect(seen).toEqual([text, `[${text}]`, text]);
  });
});

class PartDto {}

class ToyDto {
  @ValidateNested()
  part!: PartDto;
}

@Controller('toys')
class ToysController {
  @Post()
  @Public()
  create(@Body() toy: ToyDto): ToyDto {
    return toy;
  }
}

describe('a nested DTO', () => {
  it('fails the start with its name in the error', async () => {
    await expect(withController(ToysController, () => startOn(service.databaseUrl))).rejects.toThrow(
      'ToyDto.part has @ValidateNested(), but nested DTOs are not supported.',
    );
  });
});

@Controller('toys')
class OpenController {
  @Get()
  list(): string[] {
    return [];
  }
}

describe('a route that is neither public nor an operation', () => {
  it('fails the start', async () => {
    await expect(withController(OpenController, () => startOn(service.databaseUrl))).rejects.toThrow(
      'The route GET /toys is neither @Public() nor an @Operation().',
    );
  });
});
