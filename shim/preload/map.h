/* SPDX-License-Identifier: MIT */
/**
 * @file
 * MAP(n, macro, (type, name, ...)): the macro applied to n pairs, separated by commas.
 */
#ifndef DETRUN_SHIM_MAP_H
#define DETRUN_SHIM_MAP_H

#define DECLARE(type, name)   MAP_TYPED(type, name)
#define MAP_TYPED(type, name) __typeof__(type) name
#define PASS_NAME(type, name) name

#define MAP(n, macro, args) MAP_##n(macro, MAP_OPEN args)
#define MAP_OPEN(...)       __VA_ARGS__
#define MAP_0(macro, ...)   MAP_NONE_##macro
#define MAP_NONE_DECLARE    void
#define MAP_NONE_PASS_NAME
#define MAP_1(macro, ...)        MAP_1_(macro, __VA_ARGS__)
#define MAP_2(macro, ...)        MAP_2_(macro, __VA_ARGS__)
#define MAP_3(macro, ...)        MAP_3_(macro, __VA_ARGS__)
#define MAP_4(macro, ...)        MAP_4_(macro, __VA_ARGS__)
#define MAP_5(macro, ...)        MAP_5_(macro, __VA_ARGS__)
#define MAP_6(macro, ...)        MAP_6_(macro, __VA_ARGS__)
#define MAP_1_(macro, t, a)      macro(t, a)
#define MAP_2_(macro, t, a, ...) macro(t, a), MAP_1_(macro, __VA_ARGS__)
#define MAP_3_(macro, t, a, ...) macro(t, a), MAP_2_(macro, __VA_ARGS__)
#define MAP_4_(macro, t, a, ...) macro(t, a), MAP_3_(macro, __VA_ARGS__)
#define MAP_5_(macro, t, a, ...) macro(t, a), MAP_4_(macro, __VA_ARGS__)
#define MAP_6_(macro, t, a, ...) macro(t, a), MAP_5_(macro, __VA_ARGS__)

#endif
