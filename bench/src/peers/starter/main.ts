import 'reflect-metadata';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { PrismaPg } from '@prisma/adapter-pg';
import { Type } from 'class-transformer';
import { IsEnum, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { apiKey, databaseUrl, poolMax, port, stopBySignal } from '../peer.js';
import { PrismaClient } from './generated/client.js';
import { PetStatus } from './generated/enums.js';

/** Nest, Express, Prisma and class-validator, as their documentation teaches. */
class ListPetsDto {
  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  after?: number;
}

class CreatePetDto {
  @IsString()
  @Length(1, 200)
  name!: string;

  @IsInt()
  categoryId!: number;

  @IsOptional()
  @IsEnum(PetStatus)
  status?: PetStatus;
}

@Injectable()
class PrismaService extends PrismaClient {
  constructor() {
    super({ adapter: new PrismaPg({ connectionString: databaseUrl, max: poolMax }) });
  }
}

const select = { id: true, name: true, categoryId: true, status: true } as const;

@Controller('pets')
class PetsController {
  constructor(private readonly prisma: PrismaService) {}

  @Get()
  findAll(@Query() { status, limit, after }: ListPetsDto) {
    const where = { ...(status && { status }), ...(after !== undefined && { id: { gt: after } }) };
    return this.prisma.pet.findMany({ select, where, orderBy: { id: 'asc' }, take: limit });
  }

  @Get(':id')
  async findOne(@Param('id', ParseIntPipe) id: number) {
    const pet = await this.prisma.pet.findUnique({ select, where: { id } });
    if (!pet) throw new NotFoundException(`No pet has the id ${id}.`);
    return pet;
  }

  @Post()
  create(@Body() data: CreatePetDto) {
    return this.prisma.pet.create({ select, data });
  }
}

@Injectable()
class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>();
    const [type, token] = headers.authorization?.split(' ') ?? [];
    if (type === 'Bearer' && token === apiKey) return true;
    throw new UnauthorizedException();
  }
}

@Module({ controllers: [PetsController], providers: [PrismaService, { provide: APP_GUARD, useClass: ApiKeyGuard }] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(port, '127.0.0.1');
stopBySignal(() => app.close());
