import { Body, Controller, Get, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { CreatePetDto, ListPetsDto } from './pet.dto.js';
import { PetsService } from './pets.service.js';

@Controller('pets')
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  findAll(@Query() query: ListPetsDto) {
    return this.pets.findAll(query);
  }

  @Get(':id')
  findOne(@Param('id', ParseIntPipe) id: number) {
    return this.pets.findOne(id);
  }

  @Post()
  create(@Body() pet: CreatePetDto) {
    return this.pets.create(pet);
  }
}
