/**
 * @file examples/tic_tac_toe.hpp
 *
 * All boards on which a game of tic-tac-toe can end, x playing first: a data
 * set that is exact, small, and hard for a linear method, since the class
 * depends on three squares at a time.
 */
#ifndef GBNN_EXAMPLES_TIC_TAC_TOE_HPP
#define GBNN_EXAMPLES_TIC_TAC_TOE_HPP

#include <set>
#include <string>
#include <vector>

#include <mlpack/prereqs.hpp>

namespace examples {

//! Whether the player has three in a row; squares are 'x', 'o' or 'b' (blank).
inline bool HasLine(const std::string& board, const char player)
{
  const size_t lines[8][3] = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 },
      { 0, 3, 6 }, { 1, 4, 7 }, { 2, 5, 8 }, { 0, 4, 8 }, { 2, 4, 6 } };
  for (const auto& line : lines)
  {
    if (board[line[0]] == player && board[line[1]] == player &&
        board[line[2]] == player)
      return true;
  }
  return false;
}

//! Play all games that go on from a board; collect how they end.
inline void Play(const std::string& board,
                 const char player,
                 std::set<std::string>& ends)
{
  const char other = (player == 'x') ? 'o' : 'x';
  if (HasLine(board, other) || board.find('b') == std::string::npos)
  {
    ends.insert(board);
    return;
  }
  for (size_t square = 0; square < board.size(); ++square)
  {
    if (board[square] != 'b')
      continue;
    std::string next = board;
    next[square] = player;
    Play(next, other, ends);
  }
}

//! The 958 boards, as nine letters each, in an order that is always the same
//! but has no pattern.
inline std::vector<std::string> TicTacToeBoards()
{
  std::set<std::string> ends;
  Play("bbbbbbbbb", 'x', ends);
  std::vector<std::string> boards(ends.begin(), ends.end());
  std::mt19937_64 random(958);
  for (size_t i = boards.size(); i > 1; --i)
    std::swap(boards[i - 1], boards[random() % i]);
  return boards;
}

//! The same as numbers: three rows a square (x, o, blank), one column a board;
//! the label is 1 where x wins.
inline void TicTacToe(arma::mat& data, arma::Row<size_t>& labels)
{
  const std::vector<std::string> boards = TicTacToeBoards();
  const std::string letters = "xob";
  data.zeros(27, boards.size());
  labels.set_size(boards.size());
  for (size_t i = 0; i < boards.size(); ++i)
  {
    for (size_t square = 0; square < 9; ++square)
      data(3 * square + letters.find(boards[i][square]), i) = 1;
    labels[i] = HasLine(boards[i], 'x') ? 1 : 0;
  }
}

} // namespace examples

#endif
